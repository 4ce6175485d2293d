package machinecode

var Fill = fill
