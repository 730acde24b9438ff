// Files from the web.
import { messageOf } from '../errors';

/** A file. */
export async function fetched(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url).catch((error: unknown) => {
    throw new Error(`${url}: ${messageOf(error)}`);
  });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

/** A file, while nothing else happens: for a worker whose engine wants it in the middle of an answer. */
export function fetchedNow(url: string): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`${url}: ${request.status}`);
  return new Uint8Array(request.response as ArrayBuffer);
}
