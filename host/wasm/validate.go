package wasm

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Validate type-checks a module that binary.Read accepted, with wazero's validator. The module
// does not run. An error is a *binary.Refusal.
func Validate(ctx context.Context, module []byte) (err error) {
	refused := func(why any) error {
		return &binary.Refusal{Section: "code", Message: "it is not valid: " + plain(firstLine(fmt.Sprint(why)), 300)}
	}
	defer func() {
		if p := recover(); p != nil {
			err = refused(p)
		}
	}()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2).WithDebugInfoEnabled(false))
	defer rt.Close(ctx) //nolint:errcheck // it holds no resources of others
	if _, err := rt.CompileModule(ctx, module); err != nil {
		return refused(err)
	}
	return nil
}
