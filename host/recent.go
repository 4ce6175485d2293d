package host

import (
	"slices"
	"sync"

	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
)

// mostRecent is how many plugins are remembered.
const mostRecent = 4

// recentPlugins holds the plugins that were read last from paths, so that what a plan was
// made of need not be read and hashed again to be loaded. The zero value is empty.
type recentPlugins struct {
	mu   sync.Mutex
	last []*plugin.Plugin // newest first
}

// read is plugin.ReadFile.
func (s *recentPlugins) read(path string) (*plugin.Plugin, error) {
	p, err := plugin.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = slices.Insert(s.last, 0, p)
	s.last = s.last[:min(len(s.last), mostRecent)]
	return p, nil
}

// find returns the plugin of a pin, nil if it is not there.
func (s *recentPlugins) find(pin *plan.Plugin) *plugin.Plugin {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.last {
		if p.Digest == pin.Digest && p.Source == pin.Source && p.Manifest.Name == pin.Name {
			return p
		}
	}
	return nil
}
