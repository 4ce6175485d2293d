package meter

// The files wazero112_*.go and exceptions.go work around defects of wazero 1.12, the newest
// release. The rest of the package only knows the edits orZero, selectFloat and rewritten. Each
// test also runs the original code, and fails as soon as wazero gets it right: then the files
// can be deleted. host/wasm/README.md lists all defects that are worked around.
//
//	defect                             where         upstream         files               test
//	a branch on 0 < (a & b) is         amd64, arm64  none found       wazero112_masks     TestWazero112_MasksCompareAsInTheInterpreter
//	compiled as (a & b) < 0
//	a select of floats or vectors      amd64         issue 2534, pull wazero112_selects,  TestWazero112_SelectOfFloatsGivesOneOfTheTwo
//	returns a stale register                         request 2535,    wazero112_types
//	                                                 fixed after 1.12
//	copysign, bitselect and some       amd64         none found       wazero112_rewrites  TestWazero112_OperandsSurviveReload
//	vector instructions lose an
//	operand that is reloaded
//	i32.popcnt counts 64 bits          arm64         none found       wazero112_rewrites  TestWazero112_PopcntCountsOneHalf
//	exceptions lose locals and         all           experimental     exceptions          TestExceptions_LocalsKeepValuesWhenCaught,
//	payloads                                         in wazero                            TestExceptions_KeptReferenceStaysTheSame
//
// Not worked around: issue 2516, wrong code for Rust's chrono, whose cause is unknown; issue
// 2545, POPCNT on amd64 processors older than 2008, which lack it.
