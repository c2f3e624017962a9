/**
 * What the context at https://schema.org says of the terms that Guichet writes, so that no test needs the network: every term lies in the
 * vocabulary, addresses are references, moments are dates.
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
    endDate: { '@id': 'https://schema.org/endDate', '@type': 'https://schema.org/DateTime' },
  },
};
