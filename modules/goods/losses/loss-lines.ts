import { memoFalls, memoGrows } from '#modules/base/vocabulary/stock-moves.ts'

/** The party that bears the loss of goods owned by others. */
export const bearers = { none: '无需赔付', hospital: '医院赔付', owner: '货主自担', person: '责任人赔付' } as const

/** The owner of lost or found goods is notified. */
export const ownersLearn = (step: 'loss' | 'scrap' | 'overflow', title: string, header: readonly string[]) =>
  ({
    on: 'review',
    toOwners: true,
    header,
    message: { title, uri: step },
    receiverPosts: step === 'overflow' ? memoGrows(step) : memoFalls(step),
  }) as const
