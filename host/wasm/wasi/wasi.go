package wasi

// A Function is one function of WASI preview 1.
type Function struct {
	Name  string
	Shape string // letters of parameters, colon, letters of results: i is i32, I is i64

	// call returns nil, an errno for the guest, or an error that ends the call.
	call func(w *World, args []uint64) error
}

// Invoke calls the function with arguments as wazero passes them. It returns the error
// number for the guest. An error ends the guest's call: ErrOutput, ErrParked, an
// ExitError, an error of the Budget, or the failure of a granted file.
func (f *Function) Invoke(w *World, args []uint64) (uint32, error) {
	err := f.call(w, args)
	if number, ok := err.(errno); ok { //nolint:errorlint // an errno is never wrapped
		return uint32(number), nil
	}
	return 0, err
}

// Functions returns all functions of WASI preview 1. Files and directories exist if
// one was granted, read-only; sockets do not exist.
func Functions() []Function {
	return []Function{
		{"args_get", "ii:i", argsGet},
		{"args_sizes_get", "ii:i", argsSizes},
		{"environ_get", "ii:i", always(nil)},
		{"environ_sizes_get", "ii:i", environSizes},

		{"clock_res_get", "ii:i", clockResolution},
		{"clock_time_get", "iIi:i", clockTime},
		{"random_get", "ii:i", randomGet},
		{"poll_oneoff", "iiii:i", pollOneoff},
		{"sched_yield", ":i", always(nil)},
		{"proc_exit", "i:", procExit},
		{"proc_raise", "i:i", always(errNosys)},

		{"fd_write", "iiii:i", fdWrite},
		{"fd_read", "iiii:i", fdRead},
		{"fd_close", "i:i", fdClose},
		{"fd_seek", "iIii:i", fdSeek},
		{"fd_tell", "ii:i", fdTell},
		{"fd_fdstat_get", "ii:i", fdStat},
		{"fd_fdstat_set_flags", "ii:i", ofStdio(nil)},
		{"fd_fdstat_set_rights", "iII:i", ofStdio(nil)},
		{"fd_filestat_get", "ii:i", fileStat},
		{"fd_filestat_set_size", "iI:i", ofStdio(errInval)},
		{"fd_filestat_set_times", "iIIi:i", ofStdio(errInval)},
		{"fd_advise", "iIIi:i", ofStdio(errSpipe)},
		{"fd_allocate", "iII:i", ofStdio(errInval)},
		{"fd_datasync", "i:i", ofStdio(errInval)},
		{"fd_sync", "i:i", ofStdio(errInval)},
		{"fd_pread", "iiiIi:i", fdPread},
		{"fd_pwrite", "iiiIi:i", ofStdio(errSpipe)},
		{"fd_prestat_get", "ii:i", prestat},
		{"fd_prestat_dir_name", "iii:i", prestatName},
		{"fd_readdir", "iiiIi:i", fdReaddir},
		{"fd_renumber", "ii:i", always(errBadf)},

		{"path_create_directory", "iii:i", always(errBadf)},
		{"path_filestat_get", "iiiii:i", pathStat},
		{"path_filestat_set_times", "iiiiIIi:i", always(errBadf)},
		{"path_link", "iiiiiii:i", always(errBadf)},
		{"path_open", "iiiiiIIii:i", pathOpen},
		{"path_readlink", "iiiiii:i", always(errBadf)},
		{"path_remove_directory", "iii:i", always(errBadf)},
		{"path_rename", "iiiiii:i", always(errBadf)},
		{"path_symlink", "iiiii:i", always(errBadf)},
		{"path_unlink_file", "iii:i", always(errBadf)},

		{"sock_accept", "iii:i", always(errBadf)},
		{"sock_recv", "iiiiii:i", always(errBadf)},
		{"sock_send", "iiiii:i", always(errBadf)},
		{"sock_shutdown", "ii:i", always(errBadf)},
	}
}

// always answers every call with err.
func always(err error) func(*World, []uint64) error {
	return func(*World, []uint64) error { return err }
}

// ofStdio answers with err for the three standard files, and with errBadf for others.
func ofStdio(err error) func(*World, []uint64) error {
	return func(_ *World, args []uint64) error {
		if uint32(args[0]) > 2 {
			return errBadf
		}
		return err
	}
}
