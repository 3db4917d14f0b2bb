// Verifies what a log of ours says, with the packages of Go's checksum database.
//
// Reads one JSON object from standard input, and writes one line for each thing that was asked: "ok", or why not.
package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type asked struct {
	Kind   string   `json:"kind"`
	Key    string   `json:"key"`
	Note   string   `json:"note"`
	Data   []byte   `json:"data"`
	Leaf   string   `json:"leaf"`
	Index  int64    `json:"index"`
	Old    int64    `json:"old"`
	Size   int64    `json:"size"`
	OldHex string   `json:"old_root"`
	Root   string   `json:"root"`
	Path   []string `json:"path"`
	Folder string   `json:"folder"`
}

func hash(written string) (found tlog.Hash) {
	decoded, err := hex.DecodeString(written)
	if err != nil || len(decoded) != tlog.HashSize {
		panic("no hash: " + written)
	}
	copy(found[:], decoded)
	return
}

// tiles reads the tiles of a folder. Our paths do not name the height of a tile, which is always 8.
type tiles struct{ folder string }

func (t tiles) Height() int                                { return 8 }
func (t tiles) SaveTiles(_ []tlog.Tile, _ [][]byte)        {}
func (t tiles) ReadTiles(wanted []tlog.Tile) (found [][]byte, err error) {
	for _, one := range wanted {
		path := strings.Replace(one.Path(), "tile/8/", "tile/", 1)
		content, err := os.ReadFile(t.folder + "/" + path)
		if err != nil {
			return nil, err
		}
		found = append(found, content)
	}
	return
}

func verify(one asked) error {
	switch one.Kind {
	case "note":
		key, err := note.NewVerifier(one.Key)
		if err != nil {
			return err
		}
		opened, err := note.Open([]byte(one.Note), note.VerifierList(key))
		if err != nil {
			return err
		}
		lines := strings.Split(opened.Text, "\n")
		root, err := base64.StdEncoding.DecodeString(lines[2])
		if err != nil {
			return err
		}
		if lines[0] != key.Name() || lines[1] != fmt.Sprint(one.Size) || hex.EncodeToString(root) != one.Root {
			return fmt.Errorf("it says something else: %q", lines)
		}
		return nil
	case "leaf":
		if tlog.RecordHash(one.Data) != hash(one.Leaf) {
			return fmt.Errorf("the hash of the record is another one")
		}
		return nil
	}
	path := make([]tlog.Hash, len(one.Path))
	for place, written := range one.Path {
		path[place] = hash(written)
	}
	switch one.Kind {
	case "inclusion":
		return tlog.CheckRecord(path, one.Size, hash(one.Root), one.Index, hash(one.Leaf))
	case "consistency":
		return tlog.CheckTree(path, one.Size, hash(one.Root), one.Old, hash(one.OldHex))
	case "tiles":
		tree := tlog.Tree{N: one.Size, Hash: hash(one.Root)}
		reader := tlog.TileHashReader(tree, tiles{one.Folder})
		proof, err := tlog.ProveRecord(one.Size, one.Index, reader)
		if err != nil {
			return err
		}
		return tlog.CheckRecord(proof, one.Size, tree.Hash, one.Index, hash(one.Leaf))
	}
	return fmt.Errorf("nobody knows how to verify %q", one.Kind)
}

func main() {
	var all []asked
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	for _, one := range all {
		if err := verify(one); err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("ok")
		}
	}
}
