import { registerModules } from '../../server/composition.ts'

/** Before each file of tests: what every way into the program does first. */
registerModules()
