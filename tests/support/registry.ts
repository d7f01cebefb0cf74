import { registerModules } from '#app/composition.ts'

/** Before each file of tests: what every way into the program does first. */
registerModules()
