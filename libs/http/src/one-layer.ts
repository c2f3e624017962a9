import type { RequestHandler } from 'express';

/**
 * Runs handlers in this order as one layer of the router, like `app.use(...handlers)`. The router's own work between two layers takes
 * longer than most of these handlers.
 */
export function oneLayer(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let index = 0;
    const step = (error?: unknown): void => {
      const handler = handlers[index];
      if (error !== undefined || !handler) return next(error);
      index += 1;
      try {
        void handler(request, response, step);
      } catch (thrown) {
        next(thrown);
      }
    };
    step();
  };
}
