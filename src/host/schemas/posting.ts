/** What one event moves between the ledgers of an account and the house. */
import { quote, text, uuid } from '../../resources/fields.ts'

export const postingFields = {
  event: text('The type of the event it comes from.'),
  accountId: uuid('Whose it is.'),
  free: quote('Onto the free balance, signed.'),
  reserve: quote('Onto what is held back for orders, signed.'),
  margin: quote('Onto the margins of positions, signed.'),
  house: quote('Onto what the house has, signed; the four add up to zero.'),
}
