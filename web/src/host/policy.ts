// What the Content-Security-Policy of the page forbids of the engine. Browsers tell it by an event, a moment after what
// was forbidden has failed.
import { phrase } from '../messages';

/** Milliseconds for which the event is waited for. */
const MOMENT = 50;

/** What was forbidden last, in a sentence. */
let last = '';

function hear({ disposition, blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void {
  const isOurs =
    effectiveDirective === 'worker-src' || /engine\.worker|hippolyta_web|wasm|^wss?:/.test(blockedURI);
  if (disposition === 'enforce' && isOurs)
    last = phrase('host.forbidden', { file: blockedURI, directive: effectiveDirective });
}

/** Begins to listen; once is enough. */
export function watchPolicy(): void {
  addEventListener('securitypolicyviolation', hear);
}

/** What was forbidden since this was asked last, in a sentence; empty if nothing was. */
export async function forbidden(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, MOMENT));
  const said = last;
  last = '';
  return said;
}
