import { afterEach } from '@jest/globals';
import type { ModelNetwork } from './model-network.js';
import { Phone } from './phone.js';

/** @returns makes a phone, which is killed after its test */
export function killedPhones(): (network: ModelNetwork, now?: () => number) => Phone {
  const phones: Phone[] = [];
  afterEach(async () => {
    for (const phone of phones.splice(0)) await phone.kill();
  });
  return (network, now) => {
    const phone = new Phone(network, now);
    phones.push(phone);
    return phone;
  };
}
