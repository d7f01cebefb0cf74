// npm run rules: every rule with its pages and the tests that prove it, then what is open.
import { placesOf, rulebook } from './rulebook.ts'

const { rules, unsaid, silent } = rulebook()
const chapters = Map.groupBy(rules, ({ rule }) => rule.chapter)
for (const [chapter, each] of chapters) {
  console.log(`\n${chapter}`)
  for (const { rule, tests } of each) {
    console.log(`  ${rule.id}  ${rule.text}\n    ${placesOf(rule)}`)
    for (const { file, line } of tests) console.log(`    ${file}:${line}`)
    if (tests.length === 0) console.log('    没有测试')
  }
}
console.log(`\n没有写成规则的规则配置：${unsaid.join('、') || '无'}`)
console.log(
  `\n没有说明证明哪条规则的测试文件：${silent.length} 个${process.argv.includes('--all') ? `\n  ${silent.join('\n  ')}` : '（--all 列出）'}`,
)
const proved = rules.filter(({ tests }) => tests.length > 0).length
console.log(`\n${rules.length} rules, ${proved} proved, ${rules.length - proved + unsaid.length} open`)
