// Asks whether an e-mail address with a likely typing error is meant so. The form takes every address; without scripts nobody asks.

/** Mail providers that many people have. Those that differ from another one by a letter are here so that nobody doubts them. */
const known = (
  'gmail.com googlemail.com yahoo.com yahoo.fr yahoo.de yahoo.es yahoo.it yahoo.be yahoo.at yahoo.ca yahoo.co.uk hotmail.com hotmail.fr ' +
  'hotmail.de hotmail.es hotmail.it hotmail.be hotmail.nl hotmail.ch hotmail.co.uk outlook.com outlook.fr outlook.de outlook.es ' +
  'outlook.it outlook.be outlook.at live.com live.fr live.de live.be live.nl icloud.com mac.com msn.com orange.fr wanadoo.fr laposte.net ' +
  'sfr.fr free.fr neuf.fr bbox.fr gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de posteo.de mailbox.org freenet.de proton.me ' +
  'protonmail.com aol.com mail.com email.com ymail.com bluewin.ch skynet.be telenet.be ziggo.nl libero.it tutanota.com telefonica.net'
).split(' ');

/** Names of providers with one address only: a wrong ending is an error. */
const only = { gmail: 'gmail.com', googlemail: 'googlemail.com', icloud: 'icloud.com', laposte: 'laposte.net', wanadoo: 'wanadoo.fr' };

/** Whether two words differ by one letter: left out, added, replaced, or two that changed places. */
function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  if (left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1)) return true;
  return left.length > 1 && left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
}

/** The address that was probably meant; undefined when there is no doubt. */
function likely(address) {
  const [, name, typed] = /^(.+)@([^@]+)$/.exec(address.trim()) ?? [];
  const domain = typed?.toLowerCase();
  if (!domain || known.includes(domain)) return undefined;
  const meant = only[domain.split('.')[0]] ?? known.find((each) => each.length > 7 && isNear(domain, each));
  return meant && `${name}@${meant}`;
}

for (const field of document.querySelectorAll('input[data-doubt]')) {
  const line = document.createElement('p');
  line.className = 'doubt';
  line.setAttribute('role', 'status');
  field.after(line);
  field.addEventListener('input', () => line.replaceChildren());
  field.addEventListener('change', () => {
    const address = likely(field.value);
    line.replaceChildren();
    if (!address) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link';
    button.textContent = field.dataset.doubt.replace('{address}', address);
    button.addEventListener('click', () => {
      field.value = address;
      line.replaceChildren();
      field.focus();
    });
    line.append(button);
  });
}
