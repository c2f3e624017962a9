import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

/** What an answer says otherwise than it should. */
export interface Forged {
  readonly origin?: string;
  readonly host?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Signs with another key. */
  readonly key?: KeyObject;
}

/** An authenticator with one passkey, in the memory of the test. */
export class SoftPasskey {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly id = randomBytes(16);
  private userHandle = '';
  /** What it counted last; it does not count while this is 0. */
  counter = 0;

  constructor(readonly host: string) {}

  /** Answers a request for a new passkey. */
  make({ challenge, user }: Options, forged: Forged = {}): string {
    this.userHandle = user?.id ?? '';
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const data = Buffer.concat([this.data(0x41, forged), Buffer.alloc(16), length, this.id, key]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(data)],
      ]) as never,
    );
    return this.answer({
      clientDataJSON: this.client('webauthn.create', challenge, forged).toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Answers a request to use it. */
  use({ challenge }: Options, forged: Forged = {}): string {
    if (this.counter > 0) this.counter += 1;
    const client = this.client('webauthn.get', challenge, forged);
    const data = this.data(0x01, forged);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, forged.key ?? this.keys.privateKey).toString('base64url'),
      userHandle: forged.userHandle ?? this.userHandle,
    });
  }

  private data(flags: number, { host = this.host, isVerified = true, counter = this.counter }: Forged): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags | (isVerified ? 0x04 : 0)]), count]);
  }

  private client(type: string, challenge: string, { origin = `http://${this.host}` }: Forged): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private answer(response: object): string {
    const id = this.id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
