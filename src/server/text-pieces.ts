/** Joins the many small pieces of a long answer into few larger ones, so that each costs one write. */

/** Length at which pieces are passed on, in UTF-16 units. Below it an answer is sent in one go, with its length. */
const PIECE_LENGTH = 64 * 1024;

/** The same text in pieces of at least {@link PIECE_LENGTH} units, the last one excepted; none for an empty text. */
export async function* joinPieces(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let waiting = "";
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < PIECE_LENGTH) continue;
    yield waiting;
    waiting = "";
  }
  if (waiting !== "") yield waiting;
}
