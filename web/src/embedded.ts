// In a frame of another site (`?embed`) the page is a board alone, and keeps nothing: a frame that is opened anew shows
// its link again, and the games that somebody has at this address stay as they are.
export const isEmbedded = new URLSearchParams(globalThis.location?.search).has('embed');
