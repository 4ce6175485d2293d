package main

import (
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

func completionCommand(p *program) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print the completion script of a shell",
		Long:      "Print the completion script of bash, zsh, fish or powershell. It completes flags, plugins,\nrun ids and criteria.",
		Example:   "source <(rubric-host completion bash)",
		Args:      args("SHELL"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, a []string) error {
			switch a[0] {
			case "bash":
				return p.root.GenBashCompletionV2(p.out, true)
			case "zsh":
				return p.root.GenZshCompletion(p.out)
			case "fish":
				return p.root.GenFishCompletion(p.out, true)
			case "powershell":
				return p.root.GenPowerShellCompletionWithDesc(p.out)
			}
			return fault.WithHint(fault.New(fault.Usage, "no completion for %q", a[0]), "%s", diag.DidYouMean(a[0], shells))
		},
	}
}
