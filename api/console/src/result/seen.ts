// The end of a game takes the place of the start page once; a look at it is kept as long as the tab is open.

const nameOf = (game: string): string => `mabligop-result:${game}`;

export const ending = {
  /** Tell if the end of a game was not yet looked at. */
  isNew: (game: string): boolean => sessionStorage.getItem(nameOf(game)) === null,
  see: (game: string): void => sessionStorage.setItem(nameOf(game), "seen"),
  /** The game goes on: its next end is a new one. */
  forget: (game: string): void => sessionStorage.removeItem(nameOf(game)),
};
