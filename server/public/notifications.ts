/** Messages to people in the inbox. Modules import the engine through files like this one and no other. */

/** Inserts or recalls inbox messages. */
export { sendMessage, messageTypes, recallMessages, type MessageType } from '#server/messages/messages.ts'

/** The users who are shown changes of a kind. */
export { kindShownTo } from '#server/realtime/audience.ts'

/** Receipts of messages. */
export { collectReceipts } from '#server/realtime/receipts.ts'
