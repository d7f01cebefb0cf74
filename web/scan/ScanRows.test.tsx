import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ScanRows } from '#web/scan/ScanRows.tsx'
import type { Mark } from '#web/scan/tally.ts'

const mark: Mark = {
  id: '1',
  tone: 'wrong',
  sentence: '条码缺少分隔符，请对照标签选择；都不符时请按标签手工录入',
  choices: [
    { of: 'scanned', code: 'whole', says: '序列号S00000110L2405' },
    { of: 'scanned', code: 'cut', says: '序列号S000001　批号L2405' },
  ],
}
it('a code with several readings offers each, and the one that is chosen counts', () => {
  const onChoose = vi.fn()
  render(<ScanRows expected={[]} rows={[]} marks={[mark]} isList={false} isCount={false} onChoose={onChoose} />)
  fireEvent.click(screen.getByRole('button', { name: /批号L2405/ }))
  expect(onChoose).toHaveBeenCalledWith('scanned', 'cut')
})

it('what is to be compared with the label stands under the scan', () => {
  const compared: Mark = { id: '1', tone: 'right', sentence: '球囊　1根', notes: ['请核对批号。'] }
  render(<ScanRows expected={[]} rows={[]} marks={[compared]} isList={false} isCount={false} onChoose={vi.fn()} />)
  expect(screen.getByText('请核对批号。')).toBeDefined()
})
