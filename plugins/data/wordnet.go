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

// wordnet makes the dictionary of synonyms that plugins/meteor/src/wordnet.rs reads: the files of
// WordNet without glosses and relations.
func wordnet(files map[string][]byte) (made, error) {
	senses := map[string][]sense{}    // by word, in lower case
	synsets := map[sense][]string{}   // their single words
	bases := map[string][4][]string{} // of exceptions
	words := map[string]bool{}        // all strings
	for part, name := range parts {
		for line := range strings.Lines(string(files["index."+name])) {
			f := strings.Fields(line)
			if strings.HasPrefix(line, " ") || len(f) == 0 { // the licence
				continue
			}
			n, err := strconv.Atoi(at(f, 2))
			if err != nil || n < 1 || n > len(f) {
				return nil, fmt.Errorf("index.%s: unknown line: %.60q", name, line)
			}
			words[f[0]] = true
			for _, offset := range f[len(f)-n:] {
				senses[f[0]] = append(senses[f[0]], sense{uint32(part), offset})
			}
		}
		for line := range strings.Lines(string(files["data."+name])) {
			f := strings.Fields(line)
			if strings.HasPrefix(line, " ") || len(f) == 0 {
				continue
			}
			n, err := strconv.ParseInt(at(f, 3), 16, 32)
			if err != nil || n < 1 || int(4+2*n) > len(f) {
				return nil, fmt.Errorf("data.%s: unknown line: %.60q", name, line)
			}
			key := sense{uint32(part), f[0]}
			synsets[key] = nil
			for k := range int(n) {
				word, _, _ := strings.Cut(f[4+2*k], "(") // a marker of adjectives
				if !strings.Contains(word, "_") && !slices.Contains(synsets[key], word) {
					synsets[key] = append(synsets[key], word)
					words[word] = true
				}
			}
		}
		for line := range strings.Lines(string(files[name+".exc"])) {
			if f := strings.Fields(line); len(f) > 0 {
				of := bases[f[0]]
				of[part] = f[1:]
				bases[f[0]] = of
				words[f[0]] = true
			}
		}
	}
	return made{"wordnet-3.0.bin": encodeWordNet(slices.Sorted(maps.Keys(words)), senses, synsets, bases)}, nil
}

// at returns an element of a list, or nothing.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// encodeWordNet writes the dictionary. Words are sorted.
func encodeWordNet(words []string, senses map[string][]sense, synsets map[sense][]string, bases map[string][4][]string) []byte {
	number := map[string]uint32{}
	for i, w := range words {
		number[w] = uint32(i)
	}
	keys := slices.SortedFunc(maps.Keys(synsets), func(a, b sense) int {
		return cmp.Or(cmp.Compare(a.part, b.part), strings.Compare(a.offset, b.offset))
	})
	synset := map[sense]uint32{}
	var ends, sensesFrom, senseList, namesFrom, names, exceptions []uint32
	for i, key := range keys {
		synset[key] = uint32(i)
		namesFrom = append(namesFrom, uint32(len(names)))
		for _, name := range synsets[key] {
			names = append(names, number[name])
		}
	}
	var text bytes.Buffer
	for _, w := range words {
		ends = append(ends, uint32(text.Len()))
		text.WriteString(w)
		sensesFrom = append(sensesFrom, uint32(len(senseList)))
		for _, s := range senses[w] {
			if id, ok := synset[s]; ok {
				senseList = append(senseList, s.part<<28|id)
			}
		}
	}
	for part := range uint32(len(parts)) {
		known := func(w string) bool {
			return slices.ContainsFunc(senses[w], func(s sense) bool { return s.part == part })
		}
		for _, w := range words {
			list := bases[w][part]
			if list == nil {
				continue
			}
			some := false
			for _, base := range list {
				if known(base) {
					exceptions = append(exceptions, part<<28|number[w], number[base])
					some = true
				}
			}
			if !some { // rules do not apply to it all the same
				exceptions = append(exceptions, part<<28|number[w], number[w])
			}
		}
	}
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
