// Shows the forms for passkeys where the browser has them, and asks the browser when they are sent.
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

/** What the browser answers, as text. @throws Error when it does not answer */
async function answerOf(address, act) {
  const response = await fetch(address, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const optionsJSON = await response.json();
  return JSON.stringify(await (act === 'new' ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON })));
}

// The dialog of the panel asks, too.
window.guichetPasskeys = { areThere: browserSupportsWebAuthn(), answerOf };

async function send(form) {
  const fault = form.querySelector('[role=alert]');
  const button = form.querySelector('button');
  fault.hidden = true;
  button.disabled = true;
  try {
    form.elements.credential.value = await answerOf(form.dataset.passkey, form.dataset.act);
    form.submit();
  } catch {
    fault.hidden = false;
    button.disabled = false;
  }
}

if (window.guichetPasskeys.areThere) {
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form);
    });
  }
}
