//! Spanish: what carries a signal, and what only looks so.

use super::kind::SignalKind::{
    Authorization, Cancel, CompletionClaim, Correction, Dispute, GoalChange, HardConstraint,
};
use super::language::{Group, Language, Written};
use super::typed::ActWords;
use crate::domain::act::Act;

const CONSTRAINTS: Group = Group {
    kind: HardConstraint,
    phrases: &[
        "a partir de ahora|hoy|aquí",
        "de ahora|aquí|hoy en adelante",
        "bajo ninguna circunstancia",
        "pase lo que pase",
        "en ningún caso",
        "sin excepción|excepciones",
        "^ no ~ toques|toquéis|cambies|borres|modifiques|edites|uses|hagas|subas|instales|publiques|despliegues|mezcles|fusiones|añadas|agregues|rompas|escribas|commitees|pushees|mergees|elimines|renombres|metas|pongas|ejecutes|mandes|envíes|toque|cambie|borre|modifique|haga ~",
        "^ nunca|jamás toques|cambies|borres|modifiques|edites|uses|hagas|subas|publiques|despliegues|escribas|elimines|toque|haga|guardes|imprimas ~",
        "^ siempre usa|ejecuta|pregunta|escribe|corre|haz|debe|deben|que ~",
        "no|nunca|jamás debe|deben|debería|deberían|puede|pueden ~ cambiar|romper|romperse|modificarse|tocarse|modificar|tocar|borrar|borrarse|crecer|superar|exceder|fallar",
        "no|nunca se debe|deben|puede|pueden|toca|tocan|modifica|borra ~",
        "^ nada de ~",
        "^ sin dependencias|librerías|cambios|tocar|romper|modificar|commits|push|mocks",
        "sin tocar|cambiar|romper|modificar|borrar|mi|preguntar|preguntarme|permiso|avisar ~",
        "^ edita|modifica|cambia|toca|usa|lee|trabaja solo|sólo|solamente|únicamente ~",
        "^ solo|sólo|solamente edita|modifica|cambia|toca|usa|lee|puedes|debes|se_puede ~",
        "solo|sólo|únicamente puedes|debes ~",
        "puedes|debes solo|sólo|únicamente ~",
        "^ pregúntame|avísame|consúltame|enséñame|muéstrame ~~ antes|siempre|primero",
        "antes de ~ pregúntame|avísame|enséñame|muéstrame",
        "hasta que|cuando yo ~ revise|vea|apruebe|diga|confirme|dé",
        "sin que yo ~",
        "^ espera|esperad a|hasta ~ que|mi ~ ok|yo|confirme|apruebe|diga|revise|visto|confirmación",
        "debe|deben|tiene|tienen|van|va ~ que seguir|mantenerse|quedar|ser_compatible|pasar|funcionar|ir_firmados",
        "commits|tests|pruebas|archivos|cambios|ficheros|funciones ~ van|deben|tienen|llevan|necesitan|han_de ~",
        "^ mantén|conserva|deja|respeta ~~ como_está|como_están|igual|intacto|intacta|estable|compatible|tal_cual|en_paz|existente|limpio",
        "no se toca|tocan|negocia|permite",
        "prohibido|prohibida|prohibidos|intocable|congelado|congelada|vetado",
        "asegúrate|asegúrese de ~",
        "como máximo|mínimo ~",
        "manos fuera",
    ],
    unless: &[
        "no pasa|sé|importa|entiendo|funciona|hay|te_preocupes|me",
        "^ no te ~",
        "^ nunca he|había|vi|me|supe",
        "según|dice|dicen que|el|la",
        "por qué",
    ],
    asks: false,
};

const AUTHORIZATIONS: Group = Group {
    kind: Authorization,
    phrases: &[
        "ya|ahora|sí puedes|podéis|puede ~ hacer|subir|desplegar|borrar|publicar|mergear|fusionar|instalar|eliminar|enviar|lanzar|ejecutar",
        "puedes|podéis ~ hacer_push|hacer_merge|hacer_deploy|subir|subirlo|desplegar|desplegarlo|borrar|borrarlo|publicar|publicarlo|mergear|mergearlo|fusionar|instalar|eliminar|eliminarlo|lanzar",
        "^ adelante , ~ borra|sube|despliega|publica|haz|mergea|elimina|fusiona|instala",
        "^ sí|vale|ok|dale|perfecto|claro|bien , ~ borra|bórralo|sube|súbelo|despliega|despliégalo|publica|publícalo|mergea|mergéalo|elimina|elimínalo|haz_push|haz_merge|lánzalo",
        "tienes mi|permiso ~",
        "doy|te_doy permiso|mi_aprobación|mi_ok|luz_verde|el_visto_bueno",
        "luz verde",
        "^ aprobado|aprobada|autorizado|apruebo|autorizo ~",
        "por mí ~ puedes|borra|sube|adelante|bien",
        "^ súbelo|despliégalo|publícalo|mergéalo $",
        "no tengo objeciones|inconveniente",
    ],
    unless: &[
        "no|solo|sólo|si|cuando|antes|hasta|nunca puedes|puede|podéis ~",
        "solo|sólo|únicamente",
        "^ si|cuando",
        "usuarios|usuario|clientes|cliente ~ puede|pueden",
    ],
    asks: false,
};

const CORRECTIONS: Group = Group {
    kind: Correction,
    phrases: &[
        "^ no , ~ me_refería|quise_decir|quería_decir|el|la|los|las|eso|era|es|digo",
        "me refería|refiero a|al|a_la ~",
        "quise|quería decir",
        "me equivoqué|confundí|equivocado|confundido|expresé_mal",
        "error mío",
        "fue|es un error|errata mío|mía|de_mi_parte",
        "^ corrección :",
        "^ perdón|disculpa|lo_siento , ~ equivoqué|era|es|quise|error|confundí",
        "eso|esto está|es mal|incorrecto|no_es",
        "eso no es ~ que pedí|dije|quería",
        "no es|era ~~ , sino|es|era ~",
        "no es|era ~ sino",
        "te equivocaste|confundiste|entendiste_mal|has_entendido_mal",
        "entendiste mal",
        "lo correcto|el_correcto|la_correcta es ~",
        "mejor usa|pon|cambia|haz|hazlo|ponlo ~ en_vez|en_lugar",
        "en vez|lugar de ~~ usa|pon",
        "^ mejor usa|pon|hazlo|ponlo ~",
        "dije ~ , no ~",
        "al revés",
    ],
    unless: &["^ si|cuando", "qué|algo está mal"],
    asks: false,
};

const GOALS: Group = Group {
    kind: GoalChange,
    phrases: &[
        "el|nuestro|mi|tu|nuevo objetivo|propósito|foco|plan|reto es|será|ahora|de_hoy ~",
        "la|nuestra|tu|mi meta|tarea|prioridad|misión es|será|ahora ~",
        "objetivo|tarea|meta|prioridad :",
        "cambio de planes|plan",
        "^ nuevo plan|objetivo",
        "^ ahora|hoy|lo_siguiente ~ vamos|toca|hay_que|es",
        "^ vamos a|con ~",
        "centrémonos|enfócate|céntrate|concéntrate en ~",
        "hay que|tenemos_que ~ migrar|portar|reescribir|implementar|añadir|soportar|reemplazar|arreglar",
        "necesitamos|necesito|quiero|queremos|me_gustaría un|una|que|soporte|migrar|añadir|implementar|portar|reescribir|construir ~",
        "^ implementa|añade|agrega|crea|construye|desarrolla|porta|migra|reescribe|refactoriza|integra|soporta|optimiza|mejora|convierte|reemplaza|sustituye|rediseña|automatiza|extiende|acelera|separa|divide ~",
        "^ cambia|pasa|mueve ~~ para|por|a|al ~",
        "^ haz|haced que ~",
        "^ haz|escribe|monta|hazme|créame|prepara un|una ~ herramienta|script|cli|servicio|página|app|aplicación|api|bot|plugin|extensión|biblioteca|librería|módulo|componente|panel|suite|servidor",
        "^ arregla|corrige|repara ~~ fuga|bug|error|fallo|bloqueo|carrera|regresión|crash|cuelgue",
        "puedes|podrías|podéis ~ añadir|agregar|implementar|crear|migrar|portar|reescribir|construir|desarrollar ~",
    ],
    unless: &[
        "comentario|comentarios|errata|línea|líneas|variable|función|formato|indentación|import|imports|log|logs|color|rojo|azul|verde|título|nombre|rama|carpeta|archivo|fichero|ejemplo|commit|resumen|lista",
        "esto|eso|lo|aquello $",
        "saber|entender|ver|explicar|explicación|que_me_expliques|decir",
        "^ si|cuando|por_qué|cómo|qué|dónde",
        "pasa|pasa_a algo|nada",
        "^ vamos a ver|probar",
        "^ cambia de",
    ],
    asks: false,
};

const DISPUTES: Group = Group {
    kind: Dispute,
    phrases: &[
        "no creo|pienso|me_creo|me_parece que|lo|eso ~",
        "no estoy ~ seguro|segura|convencido|convencida|de_acuerdo ~ que|con|de",
        "dudo ~ que|de|mucho",
        "estás|está|estáis seguro|segura|seguros ~",
        "eso no ~ puede_ser|cuadra|encaja|coincide|es_cierto|tiene_sentido",
        "no puede ser ~ correcto|cierto|verdad|eso",
        "no cuadra|cuadran|coincide|coinciden ~",
        "contradice",
        "de verdad ~ es|crees",
        "me parece|suena ~ raro|sospechoso|mal|extraño",
        "sigo pensando|creyendo ~",
    ],
    unless: &["qué hacer", "dónde|cómo|cuál ~ poner|hacer"],
    asks: true,
};

const COMPLETIONS: Group = Group {
    kind: CompletionClaim,
    phrases: &[
        "ya está|están|quedó|quedaron ~ terminada|terminado|terminados|terminadas|hecho|hecha|listo|lista|listos|listas|desplegado|desplegada|arreglado|arreglada|fusionado|fusionada|publicado|publicada|resuelto|resuelta|cerrado|cerrada|mergeado|mergeada|subido|subida|completada|completado|en_producción",
        "está|están|quedó terminado|terminada|arreglado|arreglada|resuelto|resuelta|desplegado|desplegada|completado|completada|fusionado|fusionada ~ $",
        "ya ~ terminé|terminamos|hice|arreglé|fusioné|desplegué|publiqué|subí|cerré|mergeé|corregí|resolví|acabé|migré ~",
        "^ he|hemos ~ terminado|hecho|arreglado|fusionado|desplegado|publicado|subido|cerrado|corregido|resuelto|migrado|mergeado ~",
        "^ terminado|terminada|hecho|arreglado|desplegado|mergeado|solucionado $",
        "tests|pruebas ~ pasan|pasaron|verde|verdes",
        "ya funciona|pasan|compila ~",
    ],
    unless: &["si|cuando|pero|aún|todavía|no|hasta|falta|después", "por qué"],
    asks: false,
};

const CANCELS: Group = Group {
    kind: Cancel,
    phrases: &[
        "^ olvida|olvídalo|olvidad|olvídate|déjalo ~",
        "^ cancela|cancelad|aborta|abortad|anula|descarta|suspende ~",
        "^ para|alto|basta|detente $",
        "^ deja|dejad de|el|la|lo ~ de_lado|estar|así|ya",
        "^ deja de ~",
        "ya no ~ hace_falta|necesitamos|necesito|es_necesario|quiero|queremos|importa",
        "no hace falta ~ $",
        "no hace falta que|el|la|lo ~",
        "dejemos|dejémoslo ~",
        "da igual|no_importa $",
        "al final no ~",
    ],
    unless: &["botón|diálogo|enlace|token|temporizador|petición", "^ si|cuando|cómo"],
    asks: false,
};

/// The data of Spanish.
pub(super) static LANGUAGE: Language = Language {
    written: Written::WithItsWords,
    acts: ACTS,
    groups: &[CONSTRAINTS, AUTHORIZATIONS, CORRECTIONS, GOALS, DISPUTES, COMPLETIONS, CANCELS],
    questions: &[
        "^^ por_qué|porqué|por_que|cómo|como|dónde|donde|cuándo|cuál|cuáles|quién|quiénes|qué|cuánto|cuántos|cuánta|cuántas",
        "^^ a|de|en|con|para|desde|hasta qué|quién|dónde|cuándo|cuál",
        "^ hay_que|es|son|está|están|debería|deberíamos|tengo_que ~~ ?",
        "^ verdad|no|cierto ?",
    ],
    requests: &[
        "puedes|podrías|podéis por favor",
        "puedes|podrías|podéis ~ añadir|agregar|implementar|crear|migrar|portar|reescribir|construir|desarrollar ~",
    ],
    spellings: &[],
    fillers: &[
        "por",
        "favor",
        "porfa",
        "porfavor",
        "ahora",
        "bueno",
        "vale",
        "entonces",
        "y",
        "pero",
        "oye",
        "hola",
        "también",
        "además",
        "luego",
        "ok",
        "sí",
        "venga",
        "importante",
    ],
    joints: &["y", "pero", "o", "porque", "aunque", "entonces"],
    speakers: &[
        "yo", "tú", "nosotros", "me", "mi", "te", "tu", "nos", "nuestro", "nuestra", "favor",
        "quiero", "necesito", "puedes",
    ],
    stop_words: &[
        "el", "la", "los", "las", "un", "una", "unos", "unas", "y", "o", "pero", "de", "del", "al",
        "en", "con", "sin", "por", "para", "que", "se", "su", "sus", "lo", "le", "les", "mi",
        "mis", "tu", "tus", "nuestro", "nuestra", "es", "son", "está", "están", "ser", "hay", "ya",
        "siempre", "nunca", "jamás", "solo", "sólo", "como", "más", "muy", "este", "esta", "esto",
        "ese", "esa", "eso", "cuando", "si", "antes", "hasta", "favor", "ahora", "todo", "todos",
        "toda", "todas", "nada",
    ],
};

const ACTS: ActWords = ActWords {
    verbs: &[
        (Act::Push, &["push", "hacer push", "hagas push", "haz push", "pushees"]),
        (Act::Publish, &["publicar", "publiques", "publica", "publícalo"]),
        (Act::Deploy, &["desplegar", "despliegues", "despliega", "deploy"]),
        (Act::Delete, &["borrar", "borres", "borra", "eliminar", "elimines", "elimina"]),
        (Act::Install, &["instalar", "instales", "instala"]),
        (Act::Reset, &["resetear", "resetees"]),
        (Act::Migrate, &["migrar", "migres"]),
    ],
    leads: &["no", "nunca", "jamás", "puedes", "ya", "de", "a", "sin", "hacer", "hagas", "haz"],
    objects: &[(Act::Delete, DATA), (Act::Reset, DATA)],
    follows: &[],
    conditions: &[
        "si|cuando|solo|sólo|solamente|excepto|cómo|después",
        "hasta que los|las|la|el|ci|pasen",
    ],
    allows: AUTHORIZATIONS.phrases,
    forbids: &["^ no|nunca|jamás ~", "no puedes|debes|se", "prohibido"],
    gates: &[
        "hasta que ~ yo|revise|apruebe|diga|confirme",
        "antes de ~~ pregúntame|avísame",
        "pregúntame|avísame|consúltame ~ antes",
        "sin mi|preguntar|preguntarme|permiso",
    ],
    prepositions: &["a", "en", "desde", "rama"],
    places: &["main", "master", "staging", "prod", "npm", "origin"],
};

/// Stored things that are gone when they are deleted.
const DATA: &[&str] = &[
    "base", "tabla", "tablas", "archivo", "archivos", "fichero", "ficheros", "carpeta", "rama",
    "ramas", "datos", "copia", "bucket", "repo", "nada", "algo",
];
