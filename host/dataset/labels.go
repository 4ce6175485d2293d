package dataset

import "slices"

// Labels returns the texts that a case has under a field: at a dotted path, such
// as a CSV column or metadata.lang, else at that path of its metadata, else its
// tag of that name. A list has several, and "tags" all of them, as key=value or
// key. Nil: the case has no such field, or it is null or an object.
func (c *Case) Labels(field string) []string {
	if field == FieldTags {
		var out []string
		for key, value := range c.Tags {
			if value != "" {
				key += "=" + value
			}
			out = append(out, key)
		}
		slices.Sort(out)
		return out
	}
	for _, path := range []string{field, FieldMetadata + "." + field} {
		if texts, ok := c.Texts(path); ok {
			return texts
		}
	}
	if value, ok := c.Tags[field]; ok {
		return []string{value}
	}
	return nil
}
