// Command line options of these scripts: --name value.

/** The text after --name, or undefined. */
export function optionOf(name) {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

/** The number after --name, or the default if the option is absent. */
export function numberOf(name, preset) {
  const given = optionOf(name)
  return given === undefined ? preset : Number(given)
}

/** --minutes and --seed of a run repeatable by seed; prints the usage and exits if they are not numbers. */
export function minutesAndSeed(command, preset) {
  const minutes = numberOf('minutes', preset)
  const seed = numberOf('seed', Date.now() % 1_000_000)
  if (minutes > 0 && Number.isInteger(seed)) return { minutes, seed }
  console.error(`用法：npm run ${command} -- --minutes ${preset} --seed 42`)
  return process.exit(2)
}
