package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func artifactCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "artifact",
		Short: "Review versioned outputs with registered rubrics",
		Long: "Review versioned outputs with registered rubrics. An artifact begins as a draft; submit\n" +
			"evaluates it with every rubric of its type, and approves it or asks for a revision.\n" +
			"Commands take its id, or its name if no other artifact has it.\n" +
			"Types are declared below artifact_types in " + configName + ":\n\n" +
			"    artifact_types:\n" +
			"      quiz:\n" +
			"        rubrics: [quiz_quality]      # registered: ID or ID@VERSION\n" +
			"        requires_approval: true      # a person approves it after it passed\n" +
			"        approval_threshold: 0.8      # least score, beside the pass rules\n" +
			"        auto_review: true            # submit when created or revised\n" +
			"        tags: [assessment]",
	}
	cmd.AddCommand(artifactCreateCommand(p), artifactSubmitCommand(p), artifactShowCommand(p), artifactListCommand(p),
		artifactApproveCommand(p), artifactRejectCommand(p), artifactReviseCommand(p), artifactArchiveCommand(p))
	return cmd
}

// noArtifacts is the hint where there is no database.
const noArtifacts = "create an artifact first: rubric-host artifact create TYPE FILE --name NAME; or name the database with --store"

func artifactShowCommand(p *program) *cobra.Command {
	var version string
	var content bool
	cmd := &cobra.Command{
		Use:     "show ARTIFACT",
		Short:   "Show an artifact, its evaluations and its history",
		Long:    "Show an artifact as Markdown: status, versions, evaluations with feedback, provenance and\nhistory. With --content print its content only.",
		Example: "rubric-host artifact show art_0123456789ab\nrubric-host artifact show art_0123456789ab --version 1.0.0 --content > old.json",
		Args:    args("ARTIFACT"),
		RunE: p.inStore(noArtifacts, func(ctx context.Context, db stores, a []string) error {
			page, err := artifactPage(ctx, p.console, db, p.runs, a[0], version)
			if err != nil {
				return err
			}
			if content {
				return p.writeText("", append(diag.EscapeJSON(page.Artifact.Content), '\n'))
			}
			return showArtifact(p.console, page)
		}),
	}
	cmd.Flags().StringVar(&version, "version", "", "version to show (default: the newest)")
	cmd.Flags().BoolVar(&content, "content", false, "print the content only")
	bindRuns(p, cmd.Flags())
	keyedAs(cmd, "artifact-show", "version", "content")
	bindStore(p, cmd)
	return cmd
}

func artifactPage(ctx context.Context, con *console, db review.Store, runs, id, version string) (report.ArtifactPage, error) {
	page := report.ArtifactPage{Row: func(e *review.Evaluation) *result.Row {
		row, err := host.ReviewedRow(runs, e)
		if err != nil && !fault.Is(err, fault.NotFound) {
			con.say("warning: %v", err)
		}
		return row
	}}
	life := review.Lifecycle{Store: db}
	id, err := life.Find(ctx, id)
	if err != nil {
		return page, err
	}
	if page.Artifact, err = life.Artifact(ctx, id, version); err != nil {
		return page, err
	}
	if page.Versions, err = life.Versions(ctx, id); err != nil {
		return page, err
	}
	page.Events, err = db.ArtifactEvents(ctx, id)
	return page, err
}

func showArtifact(con *console, page report.ArtifactPage) error {
	if !con.json {
		return report.WriteArtifact(con.out, page)
	}
	return con.printJSON(struct {
		*review.Artifact
		Versions []*review.Artifact `json:"versions"`
		Events   []review.Event     `json:"history"`
	}{page.Artifact, xslices.Map(page.Versions, brief), page.Events})
}

// brief returns an artifact without content and provenance.
func brief(a *review.Artifact) *review.Artifact {
	b := *a
	b.Content, b.Provenance = nil, nil
	return &b
}

func artifactListCommand(p *program) *cobra.Command {
	f := review.Filter{Brief: true}
	var status string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List artifacts",
		Long:    "List artifacts in their newest versions.",
		Example: "rubric-host artifact list --status in_review",
		RunE: p.inStore(noArtifacts, func(ctx context.Context, db stores, _ []string) error {
			f.Status = review.Status(status)
			list, err := db.Artifacts(ctx, f)
			if err != nil {
				return err
			}
			return listArtifacts(p.console, list)
		}),
	}
	s := cmd.Flags()
	s.StringVar(&f.Type, "type", "", "only artifacts of this type")
	s.StringVar(&status, "status", "", "only artifacts of this status")
	s.StringVar(&f.Tag, "tag", "", "only artifacts with this tag")
	s.BoolVar(&f.Versions, "versions", false, "list all versions")
	choices(cmd, "status", review.Statuses()...)
	keyedAs(cmd, "artifact-list", "type", "status", "tag", "versions")
	bindStore(p, cmd)
	return cmd
}

func listArtifacts(con *console, list []*review.Artifact) error {
	t := con.table("ID", "TYPE", "NAME", "VERSION", "STATUS", "TAGS", "UPDATED")
	for _, a := range list {
		t.row(a.ID, a.Type, fitted(a.Name), a.Version, a.Status, fitted(strings.Join(a.Tags, ", ")), a.Updated)
	}
	return con.list(map[string]any{"artifacts": list}, len(list), t, "no artifacts")
}

func artifactApproveCommand(p *program) *cobra.Command {
	return decisionCommand(p, &cobra.Command{
		Use: "approve ARTIFACT", Short: "Approve an artifact in review",
		Long:    "Approve an artifact in review. One that did not pass its evaluations, or has none, needs a note.",
		Example: "rubric-host artifact approve art_0123456789ab\nrubric-host artifact approve art_0123456789ab --note 'the rubric counts riddles as questions'",
	}, "reason for the approval", func() review.Status { return review.Approved })
}

func artifactRejectCommand(p *program) *cobra.Command {
	var back bool
	cmd := decisionCommand(p, &cobra.Command{
		Use: "reject ARTIFACT", Short: "Reject an artifact in review, or ask for a revision",
		Long:    "Reject an artifact in review for good, or with --needs-revision ask for a revision.",
		Example: "rubric-host artifact reject art_0123456789ab --needs-revision --note 'two questions are alike'",
	}, "reason for the rejection", func() review.Status {
		if back {
			return review.NeedsRevision
		}
		return review.Rejected
	})
	cmd.Flags().BoolVar(&back, "needs-revision", false, "ask for a revision")
	return cmd
}

func artifactArchiveCommand(p *program) *cobra.Command {
	return decisionCommand(p, &cobra.Command{
		Use: "archive ARTIFACT", Short: "Archive an artifact",
		Long:    "Archive an artifact. It stays in the store; archiving cannot be undone.",
		Example: "rubric-host artifact archive art_0123456789ab --note 'replaced by the biology course'",
	}, "reason for archiving it", func() review.Status { return review.Archived })
}
