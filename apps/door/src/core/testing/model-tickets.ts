import { concatBytes, toBase64url, utf8, uuidBytes, type Bytes } from '../codes/bytes.js';
import { hashText, TicketHasher } from '../pack/ticket-hash.js';

/** Which private key signs, and its public one. */
export interface Signer {
  readonly jwk: { readonly kid: string; readonly x: string };
  sign(text: string): Promise<Bytes>;
}

export async function makeSigner(kid = '1'): Promise<Signer> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const x = toBase64url(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  return {
    jwk: { kid, x },
    sign: async (text) => new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, utf8(text))),
  };
}

/** The code of a ticket, in format 2 after transfers. */
export async function renderCode(signer: Signer, ticketId: string, transfers = 0): Promise<string> {
  const id = uuidBytes(ticketId)!;
  const head = Uint8Array.of(transfers === 0 ? 1 : 2, Number(signer.jwk.kid));
  const tail = transfers === 0 ? new Uint8Array() : Uint8Array.of(transfers >> 16, transfers >> 8, transfers);
  const data = toBase64url(concatBytes(head, id, tail));
  return `${data}:${toBase64url(await signer.sign(data))}`;
}

/** Seals a name as the server does. */
export async function sealName(code: string, salt: Bytes, name: readonly [string, string]): Promise<string> {
  const signature = Uint8Array.from(atob(code.split(':')[1]!.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const random = crypto.getRandomValues(new Uint8Array(4));
  const material = await crypto.subtle.importKey('raw', signature, 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: concatBytes(utf8('name'), random) };
  const key = await crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, utf8(JSON.stringify(name)));
  return toBase64url(concatBytes(random, new Uint8Array(data)));
}

/** The event at whose door the phones of most tests are, and another one. */
export const eventId = '7d1f4a52-5f5b-4c53-9d1a-0a6a3c1b7d10';
export const otherEventId = 'c2b7a4de-91f0-4c0b-8f4e-6a1d2c3b4e5f';

export interface ModelTicket {
  readonly id: string;
  /** The event that it is for. */
  readonly event: string;
  readonly code: string;
  readonly hash: bigint;
  readonly hashText: string;
  readonly name: readonly [string, string];
  readonly sealed: string;
  readonly type: number;
  readonly reservation: number;
  cancelled: boolean;
  /** What its reservation costs while it is not paid. */
  due: string | null;
  version: number;
}

export async function makeTicket(
  signer: Signer,
  salt: Bytes,
  { type = 0, reservation = 0, id = crypto.randomUUID(), event = eventId } = {},
): Promise<ModelTicket> {
  const code = await renderCode(signer, id);
  const hash = await new TicketHasher(salt).hashOf(uuidBytes(id)!);
  const name = ['Ada', `Martin-${id.slice(0, 6)}`] as const;
  const sealed = await sealName(code, salt, name);
  return { id, event, code, hash, hashText: hashText(hash), name, sealed, type, reservation, cancelled: false, due: null, version: 1 };
}
