package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// parts are the parts of speech, by their number in the file that is made.
var parts = []string{"noun", "verb", "adj", "adv"}

func wordnetFiles() (names []string) {
	for _, part := range parts {
		names = append(names, "index."+part, "data."+part, part+".exc")
	}
	return names
}

// A sense is a synset of a part of speech, by its offset in the data file.
type sense struct {
	part   uint32
	offset string
}

// A dictionary is what is read of WordNet, as it is looked up.
type dictionary struct {
	senses  map[string][]sense     // by word, in lower case
	synsets map[sense][]string     // their single words
	bases   map[string][4][]string // of exceptions, by part of speech
	words   map[string]bool        // all strings
}

// wordnet makes the dictionary of synonyms that plugins/meteor/src/wordnet.rs reads: the files of
// WordNet without glosses and relations.
func wordnet(files map[string][]byte) (made, error) {
	d := &dictionary{map[string][]sense{}, map[sense][]string{}, map[string][4][]string{}, map[string]bool{}}
	for part, name := range parts {
		for _, file := range []struct {
			name string
			read func(part int, fields []string) (ok bool)
		}{{"index." + name, d.index}, {"data." + name, d.data}, {name + ".exc", d.exception}} {
			for line := range strings.Lines(string(files[file.name])) {
				f := strings.Fields(line)
				if strings.HasPrefix(line, " ") || len(f) == 0 { // the licence
					continue
				}
				if !file.read(part, f) {
					return nil, fmt.Errorf("%s: unknown line: %.60q", file.name, line)
				}
			}
		}
	}
	return made{"wordnet-3.0.bin": d.encode()}, nil
}

// index reads a line of an index: a word, and the offsets of its synsets at the end.
func (d *dictionary) index(part int, f []string) bool {
	n, err := strconv.Atoi(at(f, 2))
	if err != nil || n < 1 || n > len(f) {
		return false
	}
	d.words[f[0]] = true
	for _, offset := range f[len(f)-n:] {
		d.senses[f[0]] = append(d.senses[f[0]], sense{uint32(part), offset})
	}
	return true
}

// data reads a line of a data file: a synset and its words.
func (d *dictionary) data(part int, f []string) bool {
	n, err := strconv.ParseInt(at(f, 3), 16, 32)
	if err != nil || n < 1 || int(4+2*n) > len(f) {
		return false
	}
	var words []string
	for k := range int(n) {
		word, _, _ := strings.Cut(f[4+2*k], "(") // a marker of adjectives
		if !strings.Contains(word, "_") && !slices.Contains(words, word) {
			words = append(words, word)
			d.words[word] = true
		}
	}
	d.synsets[sense{uint32(part), f[0]}] = words
	return true
}

// exception reads an irregular form and its base forms.
func (d *dictionary) exception(part int, f []string) bool {
	of := d.bases[f[0]]
	of[part] = f[1:]
	d.bases[f[0]] = of
	d.words[f[0]] = true
	return true
}

// at returns an element of a list, or nothing.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

func (d *dictionary) encode() []byte {
	words := slices.Sorted(maps.Keys(d.words))
	number := map[string]uint32{}
	for i, w := range words {
		number[w] = uint32(i)
	}
	keys := slices.SortedFunc(maps.Keys(d.synsets), func(a, b sense) int {
		return cmp.Or(cmp.Compare(a.part, b.part), strings.Compare(a.offset, b.offset))
	})
	synset := map[sense]uint32{}
	var ends, sensesFrom, senseList, namesFrom, names []uint32
	for i, key := range keys {
		synset[key] = uint32(i)
		namesFrom = append(namesFrom, uint32(len(names)))
		for _, name := range d.synsets[key] {
			names = append(names, number[name])
		}
	}
	var text bytes.Buffer
	for _, w := range words {
		ends = append(ends, uint32(text.Len()))
		text.WriteString(w)
		sensesFrom = append(sensesFrom, uint32(len(senseList)))
		for _, s := range d.senses[w] {
			if id, ok := synset[s]; ok {
				senseList = append(senseList, s.part<<28|id)
			}
		}
	}
	exceptions := d.exceptions(words, number)
	out := []byte("RHWN\x03\x00\x01\n")
	for _, n := range []int{len(words), len(senseList), len(keys), len(names), len(exceptions) / 2} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	ends, sensesFrom, namesFrom = append(ends, uint32(text.Len())), append(sensesFrom, uint32(len(senseList))), append(namesFrom, uint32(len(names)))
	for _, list := range [][]uint32{ends, sensesFrom, senseList, namesFrom, names, exceptions} {
		for _, n := range list {
			out = binary.LittleEndian.AppendUint32(out, n)
		}
	}
	return append(out, text.Bytes()...)
}

// exceptions lists pairs of numbers: an irregular form with its part of speech, and a base form
// that is a word of that part. A form without one is its own base: rules do not apply to it all
// the same.
func (d *dictionary) exceptions(words []string, number map[string]uint32) (pairs []uint32) {
	for part := range uint32(len(parts)) {
		unknown := func(base string) bool {
			return !slices.ContainsFunc(d.senses[base], func(s sense) bool { return s.part == part })
		}
		for _, w := range words {
			list := d.bases[w][part]
			if list == nil {
				continue
			}
			bases := slices.DeleteFunc(slices.Clone(list), unknown)
			if len(bases) == 0 {
				bases = []string{w}
			}
			for _, base := range bases {
				pairs = append(pairs, part<<28|number[w], number[base])
			}
		}
	}
	return pairs
}
