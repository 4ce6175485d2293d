package image_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
)

func TestMain(m *testing.M) {
	amount.Rapid(40)
	m.Run()
}
