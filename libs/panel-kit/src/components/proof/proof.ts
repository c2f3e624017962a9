// Asks people again who they are when the server wants a proof, and repeats what they did. Nothing that they typed is lost.
import { ApiClient } from 'adminjs';
import type { ProofWords } from '../../steps/proof.words.js';
import '../page/guichet.js';

const address = '/admin/prove';
const json = { Accept: 'application/json' };

const send = (path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(path, { method: 'POST', headers: json, body: new URLSearchParams(fields) });

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const button = (type: 'button' | 'submit', textContent: string, isQuiet = false): HTMLButtonElement =>
  element('button', { type, textContent, className: isQuiet ? 'gt-button gt-button-quiet' : 'gt-button' });

/** Opens the dialog. @returns whether the person gave a proof */
async function prove(): Promise<boolean> {
  const words = (await (await fetch(address, { headers: json })).json()) as ProofWords;
  const passkeys = words.passkey === null || !window.guichetPasskeys?.areThere ? undefined : window.guichetPasskeys;
  const fault = element('p', { className: 'gt-fault', role: 'alert', hidden: true });
  const secret = element('input', { id: 'gt-proof', type: 'password', autocomplete: 'current-password', required: true, maxLength: 1000 });
  const submit = button('submit', words.submit, passkeys !== undefined);
  const cancel = button('button', words.cancel, true);
  const passkey = button('button', words.passkey ?? '');
  const label = element('label', { htmlFor: secret.id, textContent: words.label });
  const form = element('form', {}, element('div', { className: 'gt-field' }, label, secret), cancel, submit);
  const title = element('h2', { id: 'gt-proof-title', textContent: words.title });
  const dialog = element('dialog', { className: 'gt-dialog gt-proof' }, title, element('p', { textContent: words.lead }), fault);
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.append(...(passkeys ? [passkey, form] : [form]));
  const say = (text: string): void => {
    fault.textContent = text;
    fault.hidden = false;
  };
  const tried = async (attempt: () => Promise<Response>, failure: string): Promise<void> => {
    submit.disabled = passkey.disabled = true;
    fault.hidden = true;
    try {
      const response = await attempt();
      if (response.ok) dialog.close('proven');
      else say(((await response.json()) as Partial<ProofWords>).fault ?? failure);
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
    if (passkeys)
      passkey.addEventListener('click', () => {
        const attempt = async (): Promise<Response> =>
          send(`${address}/passkey`, { credential: await passkeys.answerOf(`${address}/passkey`, 'use') });
        void tried(attempt, words.passkeyFault);
      });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'proven');
    });
    document.body.append(dialog);
    dialog.showModal();
    (passkeys ? passkey : secret).focus();
  });
}

/** One dialog for all requests that wait for it. */
let asking: Promise<boolean> | undefined;

/** What the client throws when the server refuses. */
interface Refused<Answer> {
  readonly response?: Answer & { readonly headers?: Readonly<Record<string, unknown>> };
}

function proving<Request, Answer>(ask: (request: Request) => Promise<Answer>): (request: Request) => Promise<Answer> {
  return async function asked(this: ApiClient, request) {
    try {
      return await ask.call(this, request);
    } catch (error) {
      const { response } = Object(error) as Refused<Answer>;
      if (response?.headers?.['guichet-proof'] !== 'needed') throw error;
      asking ??= prove().finally(() => (asking = undefined));
      // Without a proof, the screen shows the notice of the refusal.
      return (await asking) ? ask.call(this, request) : response;
    }
  };
}

const { prototype } = ApiClient;
prototype.resourceAction = proving(prototype.resourceAction);
prototype.recordAction = proving(prototype.recordAction);
prototype.bulkAction = proving(prototype.bulkAction);
