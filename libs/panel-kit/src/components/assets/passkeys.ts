// Shows the forms for passkeys where the browser has them, and asks the browser when they are sent.
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Passkeys } from '../page/guichet.js';

const answerOf: Passkeys['answerOf'] = async (address, act) => {
  const response = await fetch(address, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const optionsJSON: unknown = await response.json();
  const answer =
    act === 'new'
      ? await startRegistration({ optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON })
      : await startAuthentication({ optionsJSON: optionsJSON as PublicKeyCredentialRequestOptionsJSON });
  return JSON.stringify(answer);
};

const areThere = browserSupportsWebAuthn();
// The dialog of the panel asks, too.
window.guichetPasskeys = { areThere, answerOf };

/** @param form a `PasskeyForm` of the server */
async function send(form: HTMLFormElement): Promise<void> {
  const fault = form.querySelector<HTMLElement>('[role=alert]')!;
  const button = form.querySelector('button')!;
  fault.hidden = true;
  button.disabled = true;
  try {
    const { passkey = '', act } = form.dataset;
    form.querySelector<HTMLInputElement>('[name=credential]')!.value = await answerOf(passkey, act === 'new' ? 'new' : 'use');
    form.submit();
  } catch {
    fault.hidden = false;
    button.disabled = false;
  }
}

if (areThere) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form);
    });
  }
}
