export { CardHoldersService, type KnownCard, type OwnCard } from './card-holders.service.js';
export * from './card.entity.js';
export { parseTag } from './card-tag.js';
export { CardsService, type NewCard } from './cards.service.js';
export * from './cards.module.js';
export { CardImportsService, importModes, type CardImportReport, type ImportMode } from './import/card-imports.service.js';
