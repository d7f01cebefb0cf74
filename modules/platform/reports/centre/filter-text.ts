import type { AnyReport } from '#kernel/definition/report.ts'

/** The conditions of a scheme in readable form: 开始日期 2026-11-01，仓库 中心库. A key is shown only if no name came with it. */
export function conditionsOf(report: AnyReport, query: string | null): string {
  const asked = new URLSearchParams(query ?? '')
  return Object.entries(report.parameters)
    .flatMap(([name, field]) => {
      const value = asked.get(name)
      if (value === null || value === '') return []
      const shown = asked.get(`${name}~`) ?? field.choices?.[value] ?? value
      return [`${field.label} ${shown}`]
    })
    .join('，')
}
