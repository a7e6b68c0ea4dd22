import { keepAnswers } from './keepAnswers.ts'

keepAnswers('workbench')
