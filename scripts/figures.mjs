// npm run figures: compares every place that shows a measure with its fact. Works beside a running server.
import { operate } from './operator.mjs'

await operate(async sql => {
  const { registerModules } = await import('../server/composition.ts')
  const { allFigures } = await import('../server/operations/figures.ts')
  registerModules()
  let [places, wrong] = [0, 0]
  for await (const { organisation, begin_date, end_date, places: compared, differences } of allFigures(sql)) {
    places += compared
    wrong += differences.length
    for (const { measure, report, place, value, shown } of differences)
      console.log(
        `${organisation}  ${begin_date} 至 ${end_date}  ${measure} = ${value}，${report} 按 ${place} 为 ${shown}`,
      )
  }
  console.log(wrong ? `${places} 处中有 ${wrong} 处不一致` : `${places} 处数字一致`)
  return wrong ? 1 : 0
})
