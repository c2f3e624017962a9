import { longestNote } from '#tickets';
import { isVisible, languages, RefusedInput, refuseUnfitText, type Language } from '#kernel';
import { currentTenant } from '#tenancy';
import { texts } from '../locales/notices.texts.js';
import type { NoticeText } from './event-notice.entity.js';

/** Subject and text by language. */
export type NoticeTexts = Partial<Record<Language, NoticeText>>;

export const longestSubject = 150;

/** The text for a language, else for the venue's, else the first one. */
export function noticeTextIn(given: NoticeTexts | null, language: Language): NoticeText | undefined {
  return given?.[language] ?? given?.[currentTenant().language] ?? Object.values(given ?? {})[0];
}

/**
 * Checks the texts of a message and leaves languages without any out.
 * @throws RefusedInput on `subject_<language>` or `words_<language>`: too long, one without the other, or none at all
 */
export function checkedMessage(given: NoticeTexts): NoticeTexts {
  const checked: NoticeTexts = {};
  for (const language of languages) {
    const subject = (given[language]?.subject ?? '').trim();
    const words = (given[language]?.words ?? '').replaceAll(/\r\n?/g, '\n').trim();
    const [inSubject, inWords] = [`subject_${language}`, `words_${language}`];
    refuseUnfitText(inSubject, subject, longestSubject);
    refuseUnfitText(inWords, words, longestNote);
    if (!isVisible(subject) && !isVisible(words)) continue;
    if (!isVisible(subject) || subject.includes('\n')) throw new RefusedInput(inSubject, texts.localized('eventNotices.subjectMissing'));
    if (!isVisible(words)) throw new RefusedInput(inWords, texts.localized('eventNotices.wordsMissing'));
    checked[language] = { subject, words };
  }
  if (Object.keys(checked).length > 0) return checked;
  throw new RefusedInput(`subject_${currentTenant().language}`, texts.localized('eventNotices.subjectMissing'));
}
