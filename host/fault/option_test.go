package fault_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
)

// ofTheProgram matches flags, commands and variables of the program.
var ofTheProgram = regexp.MustCompile(`(^|[^\w-])--[a-z][a-z-]+|rubric-host (cache|compare|completion|config|doctor|eval|failures|grade|help|init|plugin|report|rescore|rubric|runs|runtime|score|verify|version)\b|\b(runs|runtime|plugin|config) (add|inspect|list|show|trust|verify)\b|\brubric (convert|lint|migrate|schema|validate)\b|RUBRIC_HOST_[A-Z]`)

// ofOthers are flags of other programs, and variables that are for tests only.
var ofOthers = []string{"pip download --no-deps", "RUBRIC_HOST_LLAMACPP", "RUBRIC_HOST_PYTHON_SCI", "RUBRIC_HOST_WORKER"}

func TestOptions_TheLibraryNamesNoFlagOfTheProgram(t *testing.T) {
	files := 0
	for path, text := range sources(t) {
		files++
		for _, own := range ofOthers {
			text = strings.ReplaceAll(text, own, "")
		}
		if found := ofTheProgram.FindString(text); found != "" {
			t.Errorf("%s names %q, which is a word of the program: name an option of package fault", path, strings.TrimSpace(found))
		}
	}
	if files < 100 {
		t.Errorf("looked at %d files only", files)
	}
}

// sources returns the texts below host that may become messages: the string literals of Go
// files, and scripts that are embedded; tests, their tools and the HTML page are left out.
func sources(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && slices.Contains([]string{"testdata", "template", "llmtest", "page"}, e.Name()):
			return filepath.SkipDir
		case e.IsDir() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		switch filepath.Ext(path) {
		case ".go":
			text, err := literals(path)
			out[path] = text
			return err
		case ".py", ".js":
			text, err := os.ReadFile(path)
			out[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// literals returns the string literals of a Go file, one a line.
func literals(path string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
			text, _ := strconv.Unquote(s.Value)
			fmt.Fprintln(&out, text)
		}
		return true
	})
	return out.String(), nil
}

func TestOptions_EachIsDeclaredInGo(t *testing.T) {
	declared := declarations(t)
	for _, option := range fault.Options() {
		if option != fault.OptionsDocumentation && !declared[option] {
			t.Errorf("%s is not an exported field, method or function of a package below host", option)
		}
	}
}

func TestOptions_ListsEveryConstant(t *testing.T) {
	all := constants(t, "option.go")
	for name, value := range all {
		if !slices.Contains(fault.Options(), value) {
			t.Errorf("Options lacks %s", name)
		}
	}
	if len(all) != len(fault.Options()) {
		t.Errorf("%d constants, and Options lists %d", len(all), len(fault.Options()))
	}
}

// constants returns the constants of a file of this package, which are texts, by name.
func constants(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	ast.Inspect(f, func(node ast.Node) bool {
		if d, ok := node.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, spec := range d.Specs {
				v := spec.(*ast.ValueSpec)
				all[v.Names[0].Name], _ = strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			}
		}
		return true
	})
	return all
}

// declarations returns the functions, methods and fields of all packages below host, as
// "package.Func", "package.Type.Method" and "package.Type.Field".
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			for _, name := range declaredBy(d) {
				out[f.Name.Name+"."+name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func declaredBy(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		of := d.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if of, ok := of.(*ast.Ident); ok {
			return []string{of.Name + "." + d.Name.Name}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			typ, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			fields, ok := typ.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range fields.Fields.List {
				for _, name := range field.Names {
					names = append(names, typ.Name.Name+"."+name.Name)
				}
			}
		}
	}
	return names
}
