/** Unit specs beside their files; e2e, browser and house tests under test/; those of test/long only with LONG=on. */
export default {
  testMatch: ['<rootDir>/{libs,apps}/**/*.spec.ts', '<rootDir>/test/**/*.{e2e,browser,house}-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.LONG === 'on' ? [] : ['<rootDir>/test/long/'])],
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/jest/setup.js',
  globalTeardown: '<rootDir>/test/support/jest/teardown.js',
  setupFiles: ['<rootDir>/test/statements/recorder.ts'],
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json'],
  transform: {
    '\\.tsx?$': [
      '<rootDir>/test/support/jest/transform.js',
      {
        sourceMaps: true,
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', tsx: false, decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
  },
  testSequencer: '<rootDir>/test/support/jest/sequencer.js',
  testTimeout: 60_000,
  // Seconds from which a file is marked as slow.
  slowTestThreshold: 15,
  // Two workers leave a third of two cores unused, because many tests wait for timers, mails or a browser.
  maxWorkers: 3,
  // Node loads the compiled program, whose source maps name the sources. The scanner app is compiled in the tests and is not measured.
  coverageProvider: 'v8',
  collectCoverageFrom: ['dist/{libs,apps}/**/*.js'],
  coverageReporters: ['text-summary', 'html', 'lcov'],
};
