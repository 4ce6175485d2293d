package interpreter

// Dir returns the directory of a store.
func (s *Store) Dir() string { return s.dir }
