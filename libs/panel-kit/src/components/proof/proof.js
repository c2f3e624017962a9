// Asks people again who they are when the server wants a proof, and repeats what they did. Nothing that they typed is lost.
import { ApiClient } from 'adminjs';

const address = '/admin/prove';
const json = { Accept: 'application/json' };

const send = (path, fields) => fetch(path, { method: 'POST', headers: json, body: new URLSearchParams(fields) });

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Opens the dialog. @returns {Promise<boolean>} whether the person gave a proof */
async function prove() {
  const words = await (await fetch(address, { headers: json })).json();
  const fault = element('p', { className: 'gt-fault', role: 'alert', hidden: true });
  const secret = element('input', { id: 'gt-proof', type: 'password', autocomplete: 'current-password', required: true, maxLength: 1000 });
  const submit = element('button', { type: 'submit', className: 'gt-button', textContent: words.submit });
  const cancel = element('button', { type: 'button', className: 'gt-button gt-button-quiet', textContent: words.cancel });
  const passkey = element('button', { type: 'button', className: 'gt-button', textContent: words.passkey });
  const field = element('div', { className: 'gt-field' }, element('label', { htmlFor: secret.id, textContent: words.label }), secret);
  const form = element('form', {}, field, cancel, submit);
  const title = element('h2', { id: 'gt-proof-title', textContent: words.title });
  const dialog = element('dialog', { className: 'gt-dialog gt-proof' }, title, element('p', { textContent: words.lead }), fault);
  dialog.setAttribute('aria-labelledby', title.id);
  if (words.passkey && window.guichetPasskeys?.areThere) {
    submit.className = 'gt-button gt-button-quiet';
    dialog.append(passkey);
  }
  dialog.append(form);
  const say = (text) => {
    fault.textContent = text;
    fault.hidden = false;
  };
  const tried = async (attempt, failure) => {
    submit.disabled = passkey.disabled = true;
    fault.hidden = true;
    try {
      const response = await attempt();
      if (response.ok) dialog.close('proven');
      else say((await response.json()).fault ?? failure);
    } catch {
      say(failure);
    }
    submit.disabled = passkey.disabled = false;
  };
  return new Promise((resolve) => {
    cancel.addEventListener('click', () => dialog.close());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void tried(() => send(address, { secret: secret.value }), words.errorTitle);
    });
    passkey.addEventListener('click', () => {
      const attempt = async () =>
        send(`${address}/passkey`, { credential: await window.guichetPasskeys.answerOf(`${address}/passkey`, 'use') });
      void tried(attempt, words.passkeyFault);
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'proven');
    });
    document.body.append(dialog);
    dialog.showModal();
    (passkey.isConnected ? passkey : secret).focus();
  });
}

/** One dialog for all requests that wait for it. */
let asking;

for (const name of ['resourceAction', 'recordAction', 'bulkAction']) {
  const ask = ApiClient.prototype[name];
  ApiClient.prototype[name] = async function asked(...request) {
    try {
      return await ask.apply(this, request);
    } catch (error) {
      if (error?.response?.headers?.['guichet-proof'] !== 'needed') throw error;
      asking ??= prove().finally(() => (asking = undefined));
      // Without a proof, the screen shows the notice of the refusal.
      return (await asking) ? ask.apply(this, request) : error.response;
    }
  };
}
