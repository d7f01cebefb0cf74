// npm run thorough: npm test with every case of the tests that otherwise try a sample; half an hour on two cores.
process.env.THOROUGH = '1'
await import('./test.mjs')
