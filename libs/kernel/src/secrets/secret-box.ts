import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';

/** Token under which Nest injects the server secret (a string of at least 32 characters). */
export const SERVER_SECRET = Symbol('server secret');

/** A stored secret cannot be decrypted: the server secret is wrong, or the stored bytes were changed. */
export class SecretBoxError extends Error {}

/**
 * Encryption at rest with the server secret: AES-256-GCM, key by HKDF-SHA-256, a new 96-bit nonce for each box. Layout: version byte 1,
 * nonce (12), tag (16), ciphertext. The purpose is authenticated, so that a box of one purpose cannot be opened with another.
 */
@Injectable()
export class SecretBox {
  private readonly key: Buffer;

  constructor(@Inject(SERVER_SECRET) serverSecret: string) {
    this.key = Buffer.from(hkdfSync('sha256', serverSecret, 'guichet', 'secret-box', 32));
  }

  /** Encrypts bytes for a purpose. The same bytes get a different box each time. */
  seal(plain: Uint8Array, purpose: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body]);
  }

  /** Decrypts a box. @throws SecretBoxError when the server secret, the purpose or the bytes are wrong. */
  open(box: Uint8Array, purpose: string): Buffer {
    try {
      const sealed = Buffer.from(box);
      if (sealed[0] !== 1) throw new SecretBoxError('unknown box version');
      const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(1, 13), { authTagLength: 16 })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(13, 29));
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]);
    } catch {
      throw new SecretBoxError('A stored secret does not open: the server secret is not the one it was sealed with.');
    }
  }
}
