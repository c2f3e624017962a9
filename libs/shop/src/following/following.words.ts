import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of followers. Plain text, not escaped. */
export const followingWords = texts.perLanguage('following', ({ words, t }) => ({
  ...words,
  title: (venue: string) => t('following.title', { venue }),
  tellTitle: (event: string) => t('following.tellTitle', { event }),
  tellSentText: (email: string) => t('following.tellSentText', { email }),
  tellConfirmText: (email: string) => t('following.tellConfirmText', { email }),
  tellFollowsText: (email: string) => t('following.tellFollowsText', { email }),
  sentText: (email: string) => t('following.sentText', { email }),
  confirmText: (email: string) => t('following.confirmText', { email }),
  followsText: (email: string) => t('following.followsText', { email }),
}));
