import { describe, expect, it } from '@jest/globals';
import { isCommonPassword } from './common-passwords.js';

describe('common passwords', () => {
  it.each(['qwertyuiop', '1234567890', 'PassWord123', '1q2w3e4r5t', 'basketball'])('are known: %s', async (password) => {
    expect(await isCommonPassword(password, 10)).toBe(true);
  });

  it.each(['un phare dans la brume', 'k3vq-7mzt-x2nd-9rwb-hfsc'])('are not all passwords: %s', async (password) => {
    expect(await isCommonPassword(password, 10)).toBe(false);
  });
});
