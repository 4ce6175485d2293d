package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// TestBuild_PluginsOfTheSameBytesShareGrants has two names for one module.
func TestBuild_PluginsOfTheSameBytesShareGrants(t *testing.T) {
	granted, other := Plugin{Name: "words", Digest: "d", Grants: []string{"clock"}}, Plugin{Name: "twin", Digest: "d"}
	for _, tt := range []struct {
		pins  []Plugin
		class fault.Class
	}{
		{[]Plugin{granted, other}, fault.Usage}, {[]Plugin{other, granted}, fault.Usage}, {[]Plugin{granted, granted}, ""}, {[]Plugin{other, other}, ""},
	} {
		b := builder{plan: &Plan{}, pinned: map[string]bool{}}
		for _, p := range tt.pins {
			b.pin(p)
		}
		if err := b.err(); fault.Of(err) != tt.class || len(b.plan.Plugins) != 1 {
			t.Errorf("%v: %v", tt.pins, err)
		}
	}
}

func TestBuild_PinsGrantsAndMissingOnes(t *testing.T) {
	manifest, err := plugin.ParseManifest("plugin.yaml", []byte("plugin: words\nversion: 1.0.0\ngrants: [\"fs:read\", \"http:example.com\", clock]\nlimits: {fuel: 5000000000, memory: 128MiB}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := &plugin.Plugin{Manifest: *manifest, Digest: digest.Of(nil)}
	files, clock := grant.Grant{Kind: grant.Files, Target: "words"}, grant.Grant{Kind: grant.Clock}
	for _, tt := range []struct {
		name            string
		allow           map[string][]grant.Grant
		grants, missing []string
		class           fault.Class
		says            string
	}{
		{"nothing is allowed", nil, nil, []string{"clock", "fs:read", "http:example.com"}, "", ""},
		{"some is", map[string][]grant.Grant{"words": {files, clock}}, []string{"clock", "fs:read:words"}, []string{"http:example.com"}, "", ""},
		{"another plugin is", map[string][]grant.Grant{"wrods": {clock}}, nil, []string{"clock", "fs:read", "http:example.com"}, fault.Usage, `did you mean "words"`},
		{"what it did not ask for", map[string][]grant.Grant{"words": {{Kind: grant.Random}}}, nil, nil, fault.Usage, "was not requested"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := builder{o: Options{Allow: tt.allow}, plan: &Plan{}, pinned: map[string]bool{}}
			got := b.pinOf(p)
			b.pin(got)
			b.unused()
			err := b.err()
			if !slices.Equal(got.Grants, tt.grants) || !slices.Equal(got.Missing, tt.missing) || fault.Of(err) != tt.class {
				t.Errorf("%+v %v", got, err)
			}
			if got.Limits != "fuel 5000000000, memory 128MiB" {
				t.Errorf("limits %q", got.Limits)
			}
			if err != nil && !strings.Contains(err.Error()+fault.Hint(err), tt.says) {
				t.Errorf("%v", err)
			}
		})
	}
}
