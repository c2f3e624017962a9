export * from './layout/mail-blocks.js';
export * from './transport/mail-failure.js';
export * from './layout/mail-frame.js';
export * from './transport/mail-message.js';
export * from './transport/mail-transport.service.js';
export * from './messages.module.js';
