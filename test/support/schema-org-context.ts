/**
 * The part of the context at https://schema.org for the terms that Guichet uses, so that tests need no network: all terms are in the
 * vocabulary, URLs are references, times are dates.
 */
export const schemaOrgContext = {
  '@context': {
    '@vocab': 'https://schema.org/',
    type: '@type',
    id: '@id',
    url: { '@id': 'https://schema.org/url', '@type': '@id' },
    sameAs: { '@id': 'https://schema.org/sameAs', '@type': '@id' },
    image: { '@id': 'https://schema.org/image', '@type': '@id' },
    eventStatus: { '@id': 'https://schema.org/eventStatus', '@type': '@id' },
    startDate: { '@id': 'https://schema.org/startDate', '@type': 'https://schema.org/DateTime' },
    previousStartDate: { '@id': 'https://schema.org/previousStartDate', '@type': 'https://schema.org/DateTime' },
    endDate: { '@id': 'https://schema.org/endDate', '@type': 'https://schema.org/DateTime' },
  },
};
