import { describe, expect, it } from '@jest/globals';
import { languages } from '#kernel';
import { words } from './events.words.js';

describe('the notice that guests are not told of a change', () => {
  it.each(languages)('names fields and actions as they are called: %s', (language) => {
    const { messages = {}, values, properties, actions } = words[language];
    for (const form of ['one', 'other']) {
      expect(messages[`savedUntold_${form}`]).toContain(values!['alteration']!['rescheduled']);
      expect(messages[`savedUntold_${form}`]).toContain(properties!['alteration']);
      expect(messages[`savedUntoldAgain_${form}`]).toContain(actions!['message']);
    }
  });
});
