package wasi

const (
	maxBuffers  = 1_024 // in one read or write
	freeBuffers = 16    // of these the price of the call is: the C library hands over two
	bufferCost  = 128   // of each further one, in bytes moved
)

// buffers charges for the buffers of a list. Those that are empty take time, too.
func (w *World) buffers(n uint32) error {
	if n > maxBuffers {
		return errInval
	}
	if n > freeBuffers {
		w.Budget.Spend(int(n-freeBuffers) * bufferCost)
	}
	return nil
}

// argumentBytes returns the size of all arguments, each with a zero byte behind it, and charges for
// them and their addresses.
func (w *World) argumentBytes() (size int) {
	for _, a := range w.Program.Args {
		size += len(a) + 1
	}
	w.Budget.Spend(size + 8*len(w.Program.Args))
	return size
}

func argsSizes(w *World, args []uint64) error {
	mem := w.memory()
	if err := mem.writeUint32(uint32(args[0]), uint32(len(w.Program.Args))); err != nil {
		return err
	}
	return mem.writeUint32(uint32(args[1]), uint32(w.argumentBytes()))
}

func argsGet(w *World, args []uint64) error {
	list, at, mem := uint32(args[0]), uint32(args[1]), w.memory()
	w.argumentBytes()
	for k, a := range w.Program.Args {
		if err := mem.writeUint32(list+4*uint32(k), at); err != nil {
			return err
		}
		if err := mem.write(at, append([]byte(a), 0)); err != nil {
			return err
		}
		at += uint32(len(a)) + 1
	}
	return nil
}

// environSizes reports that the environment is empty.
func environSizes(w *World, args []uint64) error {
	mem := w.memory()
	if err := mem.writeUint32(uint32(args[0]), 0); err != nil {
		return err
	}
	return mem.writeUint32(uint32(args[1]), 0)
}

// procExit ends the run.
func procExit(_ *World, args []uint64) error { return ExitError{uint32(args[0])} }

// fdWrite keeps standard output and standard error, up to their caps, or performs an
// operation of the peer.
func fdWrite(w *World, args []uint64) error {
	fd, list, n := uint32(args[0]), uint32(args[1]), uint32(args[2])
	peer := fd == 0 && w.Peer != nil
	if fd != 1 && fd != 2 && !peer {
		return errBadf
	}
	if err := w.buffers(n); err != nil {
		return err
	}
	if peer {
		written, err := w.writePeer(list, n)
		if err != nil {
			return err
		}
		return w.memory().writeUint32(uint32(args[3]), uint32(written))
	}
	mem, p, total := w.memory(), &w.Program, 0
	for k := range n {
		b, err := mem.buffer(list, k)
		switch {
		case err != nil:
			return err
		case fd == 2 || p.MaxStdout == 0:
			w.Print(b)
		case len(p.Stdout)+len(b) > p.MaxStdout:
			return ErrOutput
		default:
			p.Stdout = append(p.Stdout, b...)
		}
		total += len(b)
	}
	w.Budget.Spend(total)
	return mem.writeUint32(uint32(args[3]), uint32(total))
}

// fdRead reads a file, or standard input.
func fdRead(w *World, args []uint64) error {
	fd, list, n := uint32(args[0]), uint32(args[1]), uint32(args[2])
	if err := w.buffers(n); err != nil {
		return err
	}
	var total int
	var err error
	if f := w.files.get(fd); f != nil {
		total, err = w.readFile(f, list, n, f.offset)
		f.offset += int64(total)
	} else if fd == 0 {
		total, err = w.readStdin(list, n)
	} else {
		err = errBadf
	}
	if err != nil {
		return err
	}
	return w.memory().writeUint32(uint32(args[3]), uint32(total))
}

// readStdin reads the reply of the peer or, if there is none, the request.
func (w *World) readStdin(list, n uint32) (total int, err error) {
	mem := w.memory()
	for k := uint32(0); k < n && w.mail.left()+len(w.Program.Stdin) > 0; k++ {
		b, err := mem.buffer(list, k)
		if err != nil {
			return 0, err
		}
		if w.mail.left() > 0 {
			total += w.mail.take(b)
			continue
		}
		read := copy(b, w.Program.Stdin)
		w.Program.Stdin = w.Program.Stdin[read:]
		total += read
	}
	w.Budget.Spend(total)
	return total, nil
}
