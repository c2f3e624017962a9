export * from './mail-blocks.js';
export * from './mail-failure.js';
export * from './mail-frame.js';
export * from './mail-message.js';
export * from './mail-transport.service.js';
export * from './mail.module.js';
